/**
 * Mean value analysis of a closed network: a fixed number of batches goes round between the server, the database, and the disk.
 * The rule is exact for stations that serve one batch at a time, and a delay that many batches share.
 */

/** A station where batches wait for each other: `busyUs` microseconds of one of its `servers` for each batch. */
export type Station = { busyUs: number; servers: number }

/**
 * Returns how many batches a second complete, and the microseconds of one round. Several servers count as one that is so many
 * times as fast, and a delay for the rest of the time (Seidmann's approximation).
 */
export function analyze(
  stations: Station[],
  delayUs: number,
  batches: number,
): { perSecond: number; roundUs: number } {
  const queues = stations.map(({ busyUs, servers }) => busyUs / servers)
  const delay = stations.reduce(
    (sum, { busyUs, servers }) => sum + (busyUs * (servers - 1)) / servers,
    delayUs,
  )
  let lengths = queues.map(() => 0)
  let roundUs = 0
  for (let n = 1; n <= batches; n++) {
    const waits = queues.map((busyUs, i) => busyUs * (1 + lengths[i]!))
    roundUs = waits.reduce((sum, wait) => sum + wait, delay)
    lengths = waits.map((wait) => (n * wait) / roundUs)
  }
  return { perSecond: (batches * 1_000_000) / roundUs, roundUs }
}
