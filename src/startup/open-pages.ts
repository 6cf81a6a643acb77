import { join } from 'node:path'
import { type Dashboard, dashboard } from '../http/dashboard-files.ts'
import { type AddressLimits, limitedByAddress } from '../http/limits.ts'

/** Where `bin/build-pages.mjs` puts builds. */
const BUILDS = join(import.meta.dirname, '../../dist/dashboard')

/** The dashboard as it was built in `folder`, or from its sources: `live`. */
export async function openPages(
  folder: string | undefined,
  siteUrl: string,
  byAddress: AddressLimits,
): Promise<Dashboard> {
  if (folder !== 'live')
    return dashboard({ folder: folder ?? BUILDS, siteUrl, limited: limitedByAddress(byAddress, 'keyless') })
  // Loaded only where it is used: so is what makes the pages.
  const { livePages } = await import('../http/live-pages.ts')
  return livePages()
}
