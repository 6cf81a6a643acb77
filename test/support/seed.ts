import { randomInt } from 'node:crypto'

/**
 * The seed of a random test: TEST_SEED, else a new seed. It is printed, so that a failure can be repeated.
 */
export function seedOf(label: string): number {
  const seed = Number(process.env.TEST_SEED) || randomInt(1, 2 ** 31)
  console.log(`${label}: TEST_SEED=${seed}`)
  return seed
}

/** Returns numbers from 0 up to 1 that depend only on `seed` (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
