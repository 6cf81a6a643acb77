import { pagesFolder, siteFolder } from '../../bin/pages.mjs'
import { ROOT } from '../core/installation-root.ts'
import { type Dashboard, dashboard } from '../http/files/dashboard-files.ts'
import { type AddressLimits, limitedByAddress } from '../http/rate-limit/limits.ts'

const BUILDS = pagesFolder(ROOT)
/** Where `bin/build-pages.mjs` writes the documentation site. */
export const DOCS_BUILDS = siteFolder(ROOT)

/** Opens the dashboard as built in `folder`, or from its sources with `live`. */
export async function openPages(
  folder: string | undefined,
  siteUrl: string,
  byAddress: AddressLimits,
): Promise<Dashboard> {
  if (folder !== 'live')
    return dashboard({ folder: folder ?? BUILDS, siteUrl, limited: limitedByAddress(byAddress, 'keyless') })
  // Loaded on use, with the build tool.
  const { livePages } = await import('../http/files/live-pages.ts')
  return livePages()
}
