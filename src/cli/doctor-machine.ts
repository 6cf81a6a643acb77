import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBuilt, pagesFolder, pagesHash, readPagesState, siteFolder, siteHash } from '../../bin/pages.mjs'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { ROOT } from '../core/installation-root.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { type Check, failed, ok, warning } from './doctor-check.ts'

const scarceBytes = 1024 ** 3
const tooFewBytes = 200 * 1024 ** 2
const redisTimeoutMilliseconds = 2000

/** Checks that the data directory can be written, and that no other user can read its secrets. */
export function checkDataDir({ dataDir }: Config): Check[] {
  const name = 'data directory'
  if (!existsSync(dataDir)) return [ok(name, `Parley creates ${dataDir} at the first start`)]
  try {
    accessSync(`${dataDir}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [failed(name, `${dataDir} can't be used (${code}). Run this as the service's user`)]
  }
  const readable = ['secret.key', 'database-passwords.json']
    .map((file) => join(dataDir, file))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  if (readable.length > 0)
    return [failed(name, `other users can read ${readable.join(', ')}. Run chmod 600 on them`)]
  return [ok(name, dataDir)]
}

/** Checks that the database has room to grow. */
export function checkDiskSpace({ dataDir }: Config): Check[] {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir))
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free`
  if (free < tooFewBytes) return [failed('disk space', detail)]
  return [free < scarceBytes ? warning('disk space', detail) : ok('disk space', detail)]
}

/** Checks that the shared limiter answers, if one is configured. */
export async function checkRedis({ redisUrl }: Config): Promise<Check[]> {
  if (!redisUrl) return [ok('redis', 'not configured: each process counts rate limits itself')]
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: redisTimeoutMilliseconds,
    commandTimeout: redisTimeoutMilliseconds,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // A command's error about a lost connection does not name the reason.
  let reason: Error | undefined
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
    return [ok('redis', 'answers')]
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/** Checks that the file store can be used. */
export async function checkFiles(settings: Config): Promise<Check[]> {
  const { mediaS3 } = settings
  if (!mediaS3) return [ok('files', 'stored in the data directory')]
  const store = await openMediaStore(settings, systemClock)
  try {
    await store.check()
    return [ok('files', `stored in the bucket ${mediaS3.bucket}`)]
  } finally {
    await store.close()
  }
}

/** Checks that the additional certificate authorities are still valid. */
export function checkCertificates({ egressCa }: Config): Check[] {
  const name = 'egress authorities'
  if (!egressCa) return [ok(name, 'only the default ones')]
  const certificates = (
    egressCa.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  ).map((pem) => new X509Certificate(pem))
  const expired = certificates.filter(({ validToDate }) => validToDate <= systemClock.now())
  if (expired.length > 0)
    return [warning(name, `expired: ${expired.map(({ subject }) => subject).join('; ')}`)]
  return [ok(name, `${certificates.length} extra`)]
}

/** Checks that the served pages were built from the present sources. */
export const checkPages = (root = ROOT): Check[] => [
  checkBuild('dashboard', pagesFolder(root), pagesHash(root)),
  checkBuild('documentation', siteFolder(root), siteHash(root)),
]

function checkBuild(name: string, folder: string, hash: string | undefined): Check {
  const state = readPagesState(folder)
  if (state?.state === 'failed') return failed(name, `the build failed: ${state.reason}`)
  if (state?.state !== 'built' || !isBuilt(folder, state.hash))
    return warning(name, 'the pages aren\'t built. Run "npm start" to build them')
  if (hash !== undefined && hash !== state.hash)
    return warning(name, 'the pages are older than their sources. Run "npm start" to build them')
  return ok(name, `build ${state.hash}`)
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)))
