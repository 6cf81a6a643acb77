/** Bundles have ASCII characters only, which halves their memory (bin/ascii-code.mjs). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { asciiCode } from '../../bin/ascii-code.mjs'

const SOURCE = `
const größe = { 'تأكيد': 'é – 😀', [\`‘\${1}’\`]: /^[–😀]+$/u.test('😀–') }
export const values = [größe, /[–’]/.test('’'), new RegExp(String.raw\`^[–’]$\`).test('’')]
export const fails = () => { throw new Error('“” 😀') }
`

async function bundled() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-ascii-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'source.mjs'), SOURCE)
  const build = await rolldown({ input: join(folder, 'source.mjs') })
  const { output } = await build.generate({ sourcemap: true, minify: { compress: false, mangle: false } })
  await build.close()
  const { code, map } = output[0]
  return { folder, code, map: JSON.parse(map!.toString()) }
}

const load = (folder: string, name: string, code: string) => {
  writeFileSync(join(folder, name), code)
  return import(join(folder, name))
}

test('escaped code has the same values', async () => {
  const { folder, code, map } = await bundled()
  const ascii = asciiCode(code, map.mappings)
  expect(code).toMatch(/[^\0-\x7F]/)
  expect(ascii.code).not.toMatch(/[^\0-\x7F]/)
  const [before, after] = [await load(folder, 'a.mjs', code), await load(folder, 'b.mjs', ascii.code)]
  expect(after.values).toEqual(before.values)
  expect(before.values.slice(1)).toEqual([true, true])
  expect(after.fails).toThrow('“” 😀')
})

test('each place of the source map names the same place of the source', async () => {
  const { code, map } = await bundled()
  const ascii = asciiCode(code, map.mappings)
  const [before, after] = [new SourceMap(map), new SourceMap({ ...map, mappings: ascii.mappings })]
  const lines = { before: code.split('\n'), after: ascii.code.split('\n') }
  const words = ['values', 'fails', 'throw', 'test(']
  for (const word of words) {
    const line = lines.before.findIndex((text) => text.includes(word))
    const find = (map: SourceMap, text: string) => map.findEntry(line, text.indexOf(word))
    const [found, moved] = [find(before, lines.before[line]!), find(after, lines.after[line]!)]
    expect(moved, word).toMatchObject({
      originalLine: 'originalLine' in found ? found.originalLine : 'none',
      originalColumn: 'originalColumn' in found ? found.originalColumn : 'none',
    })
  }
})
