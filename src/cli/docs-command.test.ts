/** `parley docs` writes the documentation site for another web server (docs/decisions/documentation-site.md). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runParley } from '../../test/support/command-line.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-docs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the folder contains every page and file, works below any path, and can be read by a web server', async () => {
  const to = join(newFolder(), 'public')
  const { code, stdout } = await runParley(['docs', '--to', to, '--json'], {})
  expect([code, JSON.parse(stdout)]).toEqual([0, { docs: to }])
  expect(statSync(to).mode & 0o777).toBe(0o755)
  for (const name of [
    'index.html',
    'errors.html',
    'guides/agents.html',
    'api.html',
    '404.html',
    'openapi.json',
    'llms.txt',
  ])
    expect([name, existsSync(join(to, name))]).toEqual([name, true])
  for (const name of readdirSync(to).filter((file) => file.endsWith('.html')))
    expect([name, readFileSync(join(to, name), 'utf8').match(/(?:src|href)="\/[^"]*"/g)]).toEqual([
      name,
      null,
    ])
})

test('a folder with files is left as it is', async () => {
  const to = newFolder()
  writeFileSync(join(to, 'notes.txt'), 'mine')
  const { code, stderr } = await runParley(['docs', '--to', to], {})
  expect([code, readdirSync(to)]).toEqual([1, ['notes.txt']])
  expect(stderr).toContain("isn't empty")
})
