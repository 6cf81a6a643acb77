// `parley docs`: writes the documentation site as a folder of static files.
import { chmod, cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readPagesState, siteFolder, siteHash } from '../../bin/pages.mjs'
import { ROOT } from '../core/installation-root.ts'
import { prepareEmptyFolder } from './backup/back-up.ts'
import { command } from './command.ts'
import { required, text } from './flags.ts'

/** Returns the folder of the current build. With its sources here, builds them first if they changed. */
async function currentBuild(say: (line: string) => void): Promise<string> {
  const folder = siteFolder(ROOT)
  if (siteHash(ROOT) !== undefined) {
    say('Building the documentation. This takes up to a minute if it changed.')
    const { buildSite } = await import('../../bin/build-pages.mjs')
    await buildSite(ROOT)
  }
  const state = readPagesState(folder)
  if (state?.state !== 'built')
    throw new Error(`The documentation is not built${state?.reason ? `: ${state.reason}` : '.'}`)
  return join(folder, state.hash)
}

export const docsCommand = command({
  name: 'docs',
  summary: 'Write the documentation site as static files into a new or empty folder, for another web server.',
  flags: { to: required(text('DIR')) },
  run: async ({ to }, { say }) => {
    const folder = resolve(to)
    await prepareEmptyFolder(folder)
    await cp(await currentBuild(say), folder, { recursive: true })
    // The web server that reads it is another user.
    await chmod(folder, 0o755)
    return { docs: folder }
  },
})
