/** Writes zip files for tests, without a library. */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntries = Record<string, string | Buffer>

const UTF8_NAMES = 0x0800

/** Faults of a zip file. `flags`: of each entry. `declares`: the sizes that it gives for entries, in place of the real ones. */
type ZipFaults = { flags?: number; declares?: Record<string, number> }

/** Returns a zip file with these entries, compressed. */
export function zipOf(entries: ZipEntries, { flags = UTF8_NAMES, declares = {} }: ZipFaults = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(bytes), 0)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(declares[name] ?? bytes.length, 8)
    const filename = Buffer.from(name)
    const lengths = Buffer.from([filename.length, 0, 0, 0])
    const common = Buffer.concat([
      Buffer.from([20, 0, flags & 0xff, flags >> 8, 8, 0, 0, 0, 0x21, 0]),
      sizes,
      lengths,
    ])
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, filename, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), common, place, filename]),
    )
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
