/** Hashes of passwords: argon2id with 19 MiB and two passes (OWASP's first choice for that memory). */
import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../../../../core/errors.ts'
import { sameHash } from '../../../../core/values/api-key.ts'

const derive = promisify(argon2)

const MEMORY_KB = 19_456
const PASSES = 2
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Each hash uses a core and 19 MiB for a while, and other requests take priority over sign-ins. */
const AT_ONCE = 2
const MAX_WAITING = 64
const RETRY_SECONDS = 5

let running = 0
const waiting: (() => void)[] = []

/** Runs `work` when fewer than two are running. Refuses `service_unavailable` when too many wait. */
async function queueHash<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING)
      refuse('service_unavailable', 'Too many people are signing in right now. Try again shortly.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // The place passes to the next in the queue.
    if (next) next()
    else running--
  }
}

/** Normalizes a password (NFKC), because systems encode the same typed letter differently. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8')

const hashWith = (password: string, nonce: Buffer): Promise<Buffer> =>
  queueHash(() =>
    derive('argon2id', {
      message: bytesOf(password),
      nonce,
      parallelism: 1,
      tagLength: HASH_BYTES,
      memory: MEMORY_KB,
      passes: PASSES,
    }),
  )

const HEAD = `$argon2id$v=19$m=${MEMORY_KB},t=${PASSES},p=1`
const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Returns the stored form of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return `${HEAD}$${base64(salt)}$${base64(await hashWith(password, salt))}`
}

/** Returns whether `password` matches `storedHash`. Takes the same time if it is null. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const [salt, expected] = storedHash?.slice(HEAD.length + 1).split('$') ?? []
  const actual = await hashWith(password, salt ? Buffer.from(salt, 'base64') : randomBytes(SALT_BYTES))
  return expected !== undefined && sameHash(actual, Buffer.from(expected, 'base64'))
}
