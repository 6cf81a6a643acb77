/**
 * The script that Redis runs atomically for a call. It first charges tokens already taken, at any bucket
 * level, then decides each check in turn: all of its buckets are charged, or none. KEYS: each bucket once; a
 * key expires when its bucket is full.
 *
 * ARGV[1]: JSON array of the time in ms (-1: the server's); for each bucket burst, refill, token worth,
 * maximum debt, and tokens to charge; for each check the number of its buckets and their indexes in KEYS.
 *
 * Reply: for each check, the ms until it would pass (0: it passed) and the debts of its buckets after it;
 * then the final debt of each bucket.
 */
export const TAKE_SCRIPT = `
local call, max, ceil = redis.call, math.max, math.ceil
local now, buckets, walk = unpack(cjson.decode(ARGV[1]))
if now < 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local found = call('MGET', unpack(KEYS))
local debts, changed = {}, {}
for i = 1, #KEYS do
  local debt = 0
  local refill, worth, most, charge = buckets[5 * i - 3], buckets[5 * i - 2], buckets[5 * i - 1], buckets[5 * i]
  if found[i] then
    debt = max(0, found[i] - now * refill)
    -- A clock that was set back leaves more than can be owed: it is written off, or refusals would not end.
    if debt > most then
      debt, changed[i] = most, true
    end
  end
  if charge > 0 then
    debt, changed[i] = debt + charge * worth, true
  end
  debts[i] = debt
end
local reply, length, at = {}, 0, 1
while walk[at] do
  local last = at + walk[at]
  local wait = 0
  for j = at + 1, last do
    local i = walk[j]
    wait = max(wait, (debts[i] - (buckets[5 * i - 4] - 1) * buckets[5 * i - 2]) / buckets[5 * i - 3])
  end
  length = length + 1
  reply[length] = ceil(wait)
  for j = at + 1, last do
    local i = walk[j]
    if wait == 0 then
      debts[i], changed[i] = debts[i] + buckets[5 * i - 2], true
    end
    length = length + 1
    reply[length] = debts[i]
  end
  at = last + 1
end
for i = 1, #KEYS do
  reply[length + i] = debts[i]
  if changed[i] then
    local refill = buckets[5 * i - 3]
    call('SET', KEYS[i], now * refill + debts[i], 'PX', ceil(debts[i] / refill))
  end
end
return reply
`
