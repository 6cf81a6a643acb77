// `parley reference`: writes the generated files of the repository, or reports which are outdated.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT } from '../core/installation-root.ts'
import { generatedFiles } from '../tools/generated-files.ts'
import { command } from './command.ts'
import { switchFlag } from './flags.ts'

export const referenceCommand = command({
  name: 'reference',
  summary:
    'Generate docs/reference, the methods and types of sdk/, the actions of n8n/, and the table types. --check only lists stale files.',
  flags: { check: switchFlag },
  run: async ({ check }, { config, say }) => {
    const files = await generatedFiles(config().databaseUrl, say)
    const stale = await findStaleFiles(files)
    if (check) {
      for (const path of stale) say(`stale: ${path} (run \`parley reference\`)`)
      return { ok: stale.length === 0, stale }
    }
    for (const path of stale) {
      await mkdir(dirname(join(ROOT, path)), { recursive: true })
      await writeFile(join(ROOT, path), files[path] as string)
    }
    return { changes: stale }
  },
})

async function findStaleFiles(files: Record<string, string>): Promise<string[]> {
  const stale: string[] = []
  for (const [path, text] of Object.entries(files)) {
    const current = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
    if (current !== text) stale.push(path)
  }
  return stale
}
