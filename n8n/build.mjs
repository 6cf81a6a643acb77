// Builds the package: one CommonJS file for each node and credential, because n8n loads them with `require`, and the icons.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

const ROOT = import.meta.dirname
const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
for (const path of [...n8n.credentials, ...n8n.nodes]) {
  const file = join(ROOT, path)
  await build({
    cwd: ROOT,
    input: join(ROOT, path.replace(/^dist/, 'src').replace(/\.js$/, '.ts')),
    external: ['n8n-workflow', /^node:/],
    platform: 'node',
    logLevel: 'warn',
    output: { file, format: 'cjs', exports: 'named' },
  })
}
cpSync(join(ROOT, 'src/icons'), join(ROOT, 'dist/icons'), { recursive: true })
