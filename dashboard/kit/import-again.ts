/** How often the part at an address has failed. */
const failures = new Map<string, number>()

/**
 * Loads a part, by an address of its own where it failed before: many browsers keep that a module failed for as long as the page
 * lives, and ask the server no more. Built pages load their parts this way (vite.config.ts). `address` is relative to `from`.
 */
export async function importAgain(address: string, from: string): Promise<unknown> {
  const { href } = new URL(address, from)
  const failed = failures.get(href) ?? 0
  try {
    return await import(/* @vite-ignore */ failed === 0 ? href : `${href}?again=${failed}`)
  } catch (error) {
    // Whoever asked for the same one meanwhile has failed with it: that counts once.
    failures.set(href, failed + 1)
    throw error
  }
}
