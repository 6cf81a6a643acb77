/** The number of failures for each address. */
const failures = new Map<string, number>()

/**
 * Loads a module, with a new address after a failure: many browsers remember a failed module until the page
 * closes, and don't ask the server again. Built pages load their modules this way (vite.config.ts). `address`
 * is relative to `from`.
 */
export async function importAgain(address: string, from: string): Promise<unknown> {
  const { href } = new URL(address, from)
  const failed = failures.get(href) ?? 0
  try {
    return await import(/* @vite-ignore */ failed === 0 ? href : `${href}?again=${failed}`)
  } catch (error) {
    // Concurrent imports of the same module fail together; the failure counts once.
    failures.set(href, failed + 1)
    throw Object.assign(error as Error, { part: href })
  }
}

/** Returns the address of the module that didn't load; undefined if another part of the page, such as a style sheet, didn't. */
export const partOf = (error: Error): string | undefined => (error as { part?: string }).part
