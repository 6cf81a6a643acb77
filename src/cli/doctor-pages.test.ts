/** How `parley doctor` reports the dashboard's build (docs/decisions/dashboard-pages.md). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pagesFolder, pagesHash, siteFolder, siteHash, writePagesState } from '../../bin/pages.mjs'
import { checkPages } from './doctor-machine.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-doctor-'))
  mkdirSync(join(root, 'dashboard'))
  writeFileSync(join(root, 'dashboard/main.tsx'), 'one')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const build = (hash: string) => {
  mkdirSync(join(pagesFolder(root), hash), { recursive: true })
  writeFileSync(join(pagesFolder(root), hash, 'index.html'), '')
  writePagesState(pagesFolder(root), { hash, state: 'built' })
}
const report = () =>
  checkPages(root)
    .filter(({ name }) => name === 'dashboard')
    .map(({ status, detail }) => [status, detail])

test('a build of the present sources is ok', () => {
  const hash = pagesHash(root)!
  build(hash)
  expect(report()).toEqual([['ok', `build ${hash}`]])
})

test('a missing build, a deleted build, and a build of older sources are warnings that name the repair', () => {
  expect(report()).toEqual([['warning', 'the pages aren\'t built. Run "npm start" to build them']])
  build(pagesHash(root)!)
  writeFileSync(join(root, 'dashboard/main.tsx'), 'two')
  expect(report()).toEqual([
    ['warning', 'the pages are older than their sources. Run "npm start" to build them'],
  ])
  writePagesState(pagesFolder(root), { hash: 'ffffffffffffffff', state: 'built' })
  expect(report()).toEqual([['warning', 'the pages aren\'t built. Run "npm start" to build them']])
})

test('a failed build is reported with its reason', () => {
  writePagesState(pagesFolder(root), { hash: 'ffffffffffffffff', state: 'failed', reason: 'no such file' })
  expect(report()).toEqual([['failed', 'the build failed: no such file']])
})

test('an image without sources uses the build that it contains', () => {
  build(pagesHash(root)!)
  rmSync(join(root, 'dashboard'), { recursive: true })
  expect(report()).toMatchObject([['ok', expect.stringMatching(/^build /)]])
})

test('the build of the documentation is a check of its own', () => {
  const documentation = () => checkPages(root).filter(({ name }) => name === 'documentation')
  for (const name of ['site', 'docs']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'docs/index.md'), '# One')
  expect(documentation()).toMatchObject([{ status: 'warning' }])
  const hash = siteHash(root)!
  mkdirSync(join(siteFolder(root), hash), { recursive: true })
  writeFileSync(join(siteFolder(root), hash, 'index.html'), '')
  writePagesState(siteFolder(root), { hash, state: 'built' })
  expect(documentation()).toMatchObject([{ status: 'ok', detail: `build ${hash}` }])
  writeFileSync(join(root, 'docs/index.md'), '# Two')
  expect(documentation()).toMatchObject([{ status: 'warning' }])
})
