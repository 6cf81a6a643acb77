/** Stores the answered id of each request by serial number: 16 bytes each, so that millions fit. */
const ID_BYTES = 16
const FIRST_ROOM = 1 << 16
const NONE = Buffer.alloc(ID_BYTES)

export type Acknowledged = {
  /** Returns how many requests have been answered. */
  count(): number
  add(serial: number, id: string): void
  /** Returns 32 hexadecimal digits; undefined for an unanswered request. */
  idOf(serial: number): string | undefined
  /** Returns the bytes of `count` ids from `from` on, zeros for unanswered requests. */
  page(from: number, count: number): Buffer
}

export const digitsOf = (uuid: string): string => uuid.replaceAll('-', '')

export function rememberAcknowledged(): Acknowledged {
  let ids = Buffer.alloc(FIRST_ROOM * ID_BYTES)
  let added = 0
  const bytesOf = (serial: number) => ids.subarray(serial * ID_BYTES, (serial + 1) * ID_BYTES)
  return {
    count: () => added,
    add(serial, id) {
      while ((serial + 1) * ID_BYTES > ids.length) ids = Buffer.concat([ids, Buffer.alloc(ids.length)])
      ids.write(digitsOf(id), serial * ID_BYTES, ID_BYTES, 'hex')
      added++
    },
    idOf(serial) {
      const bytes = bytesOf(serial)
      return bytes.length === 0 || bytes.equals(NONE) ? undefined : bytes.toString('hex')
    },
    page: (from, count) => ids.subarray(from * ID_BYTES, (from + count) * ID_BYTES),
  }
}
