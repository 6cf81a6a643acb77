import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { createDiskStore } from './disk.ts'
import type { MediaStore } from './port.ts'
import type { S3Address } from './s3-address.ts'

/** Opens the configured store: a bucket, or else the data directory. */
export async function openMediaStore(
  settings: { dataDir: string; mediaS3?: S3Address | undefined },
  clock: Clock,
): Promise<MediaStore> {
  if (settings.mediaS3 === undefined) return createDiskStore(join(settings.dataDir, 'media'))
  // Loaded on use: the client is larger than the rest of the service.
  const { createS3Store } = await import('./s3.ts')
  return createS3Store(settings.mediaS3, clock)
}
