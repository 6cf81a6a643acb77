/**
 * A name server on this machine (UDP) whose zones answer as the test configures.
 *
 *   const names = await startNameServer({ 'shop.example': ['127.0.0.1'], 'gone.example': 'unknown' })
 *   const parley = await boot({ nameServers: [names.address] })
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/**
 * The addresses of a zone and of all names in it. `silent`: queries get no answer; `broken`: the server
 * answers that it failed.
 */
export type Zone = string[] | 'unknown' | 'silent' | 'broken'
export type Zones = Record<string, Zone>

export type NameServer = {
  /** `address:port`, the form in which the service takes name servers. */
  address: string
  /** The name of every query, including repeated ones. */
  asked: string[]
  /** Changes zones from now on. */
  set(zones: Zones): void
  close(): void
}

const A = 1
const AAAA = 28
const CODES = { unknown: 3, broken: 2 }
const HEADER_BYTES = 12

/**
 * Undefined for packets that are no queries: another program may have used the port before, and still receive
 * packets.
 */
function readQuestion(message: Buffer): { name: string; type: number; end: number } | undefined {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = message[offset]!; length > 0; length = message[offset]!) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length).toLowerCase())
    offset += length + 1
  }
  if (offset + 5 > message.length) return undefined
  return { name: labels.join('.'), type: message.readUInt16BE(offset + 1), end: offset + 5 }
}

/** Returns four bytes, or sixteen for an IPv6 address that is written in full or is `::1`. */
const bytesOf = (address: string): Buffer =>
  isIPv6(address)
    ? Buffer.from(address === '::1' ? `${'0'.repeat(31)}1` : address.replaceAll(':', ''), 'hex')
    : Buffer.from(address.split('.').map(Number))

function answerOf(question: Buffer, end: number, type: number, zone: Exclude<Zone, 'silent'>): Buffer {
  const addresses = Array.isArray(zone) ? zone.filter((address) => isIPv6(address) === (type === AAAA)) : []
  const reply = Buffer.from(question.subarray(0, end))
  reply.writeUInt16BE(0x8180 | (Array.isArray(zone) ? 0 : CODES[zone]), 2)
  reply.writeUInt16BE(type === A || type === AAAA ? addresses.length : 0, 6)
  reply.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
    return Buffer.concat([head, data])
  })
  return Buffer.concat([reply, ...records])
}

/**
 * Starts the server. Names outside of its zones don't exist. `listener` is the address to listen on; the default is
 * a free port of 127.0.0.1.
 */
export async function startNameServer(
  zones: Zones,
  listener: { address: string; port: number } = { address: '127.0.0.1', port: 0 },
): Promise<NameServer> {
  const zonesByName = new Map(Object.entries(zones))
  const names: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const read = readQuestion(question)
    if (!read) return
    const { name, type, end } = read
    names.push(name)
    const zone =
      [...zonesByName].find(([suffix]) => name === suffix || name.endsWith(`.${suffix}`))?.[1] ?? 'unknown'
    if (zone !== 'silent') socket.send(answerOf(question, end, type, zone), from.port, from.address)
  })
  socket.bind(listener.port, listener.address)
  await once(socket, 'listening')
  return {
    address: `${listener.address}:${socket.address().port}`,
    asked: names,
    set: (changed) => {
      for (const [suffix, zone] of Object.entries(changed)) zonesByName.set(suffix, zone)
    },
    close: () => void socket.close(),
  }
}
