/**
 * n8n's own rules and types for community nodes. `PARLEY_TEST_N8N_LINT` names a folder with the packages (docs/decisions/n8n.md);
 * without it these tests are skipped.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = process.env.PARLEY_TEST_N8N_LINT
const withRules = test.skipIf(!PACKAGES)
if (!PACKAGES)
  console.warn("SKIPPED: n8n's own rules. Set PARLEY_TEST_N8N_LINT to a folder with its packages.")

/** Rules that are off, each for a reason. */
const OFF = [
  // These ask for the word 'main', and the newer rule node-connection-type-literal for the constant.
  'n8n-nodes-base/node-class-description-inputs-wrong-regular-node',
  'n8n-nodes-base/node-class-description-outputs-wrong',
  // Only nodes of n8n itself have a name in place of an address.
  'n8n-nodes-base/cred-class-field-documentation-url-miscased',
  // Takes the hyphen of "follow-up" and the colon of "Report: sales" for mistakes.
  'n8n-nodes-base/node-param-operation-option-action-miscased',
  // `flowToken` is a name that the customer's answer returns, and no secret.
  'n8n-nodes-base/node-param-type-options-password-missing',
  // Looks for the sources outside src.
  '@n8n/community-nodes/no-credential-reuse',
  // The publisher adds an author and a home page. Only n8n's verification asks for MIT.
  '@n8n/community-nodes/valid-author',
  '@n8n/community-nodes/require-homepage',
  'n8n-nodes-base/community-package-json-author-missing',
  'n8n-nodes-base/community-package-json-license-not-default',
]

const CONFIG = `
import community from '@n8n/eslint-plugin-community-nodes'
import base from 'eslint-plugin-n8n-nodes-base'
import ts from 'typescript-eslint'
const off = new Set(${JSON.stringify(OFF)})
const plugins = { '@n8n/community-nodes': community, 'n8n-nodes-base': base }
const rules = (kind) => Object.fromEntries([
  ...Object.keys(base.rules).filter((name) => name.startsWith(kind)).map((name) => ['n8n-nodes-base/' + name, 'error']),
  ...Object.entries(community.configs.recommended.rules),
].filter(([name]) => !off.has(name)))
const part = (files, kind, parserOptions = {}) =>
  ({ files, languageOptions: { parser: ts.parser, parserOptions }, plugins, rules: rules(kind) })
export default [
  part(['nodes/src/nodes/**/*.ts'], 'node-'),
  part(['nodes/src/credentials/**/*.ts'], 'cred-'),
  part(['nodes/package.json'], 'community-', { extraFileExtensions: ['.json'] }),
]
`

let folder: string
beforeAll(() => {
  if (!PACKAGES) return
  folder = mkdtempSync(join(tmpdir(), 'parley-n8n-lint-'))
  symlinkSync(join(PACKAGES, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(ROOT, 'n8n'), join(folder, 'nodes'), {
    recursive: true,
    filter: (path) => !path.endsWith('/dist'),
  })
  writeFileSync(join(folder, 'eslint.config.mjs'), CONFIG)
})
afterAll(() => folder && rmSync(folder, { recursive: true }))

/** Runs a program of the folder's packages; returns its output. */
const run = (program: string, args: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [join(folder, 'node_modules', program), ...args], {
    cwd: folder,
    // In a test, the rules take every file for one of their own.
    env: { ...process.env, NODE_ENV: 'production' },
  }).then(
    ({ stdout }) => stdout,
    (failed: { stdout: string; stderr: string }) => `${failed.stdout}${failed.stderr}`,
  )

withRules("the nodes keep n8n's rules", async () => {
  const output = await run('eslint/bin/eslint.js', ['nodes/src', 'nodes/package.json'])
  expect(output).toBe('')
})

withRules("the nodes have n8n's own types", async () => {
  rmSync(join(folder, 'nodes/src/n8n-workflow.d.ts'))
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
  ]
  const files = ['Parley/Parley', 'ParleyTrigger/ParleyTrigger'].map(
    (name) => `nodes/src/nodes/${name}.node.ts`,
  )
  const credential = 'nodes/src/credentials/ParleyApi.credentials.ts'
  const output = await run('typescript/bin/tsc', [...options, '--target', 'es2023', ...files, credential])
  expect(output).toBe('')
})
