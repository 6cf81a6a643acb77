/**
 * What Redis runs for a list of checks, atomic in the server: each is decided in its turn, and all of its buckets are charged or none.
 * KEYS are the buckets, each once. ARGV[1] is a JSON array: the time in milliseconds (-1: the server's own); burst, refill and
 * token worth of each bucket in a row; for each check the number of its buckets and their places in KEYS. The reply has for each check
 * the milliseconds until it would pass (0: it passed) and then the debt of each of its buckets. A key lives until its bucket is full.
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
  if found[i] then
    debt = max(0, found[i] - now * buckets[3 * i - 1])
    -- A clock that was set back leaves more than an empty bucket's worth: it is written off, or refusals would not end.
    local most = buckets[3 * i - 2] * buckets[3 * i]
    if debt > most then
      debt, changed[i] = most, true
    end
  end
  debts[i] = debt
end
local reply, length, at = {}, 0, 1
while walk[at] do
  local last = at + walk[at]
  local wait = 0
  for j = at + 1, last do
    local i = walk[j]
    wait = max(wait, (debts[i] - (buckets[3 * i - 2] - 1) * buckets[3 * i]) / buckets[3 * i - 1])
  end
  length = length + 1
  reply[length] = ceil(wait)
  for j = at + 1, last do
    local i = walk[j]
    if wait == 0 then
      debts[i], changed[i] = debts[i] + buckets[3 * i], true
    end
    length = length + 1
    reply[length] = debts[i]
  end
  at = last + 1
end
for i in pairs(changed) do
  local refill = buckets[3 * i - 1]
  call('SET', KEYS[i], now * refill + debts[i], 'PX', ceil(debts[i] / refill))
end
return reply
`
