/** Imports rates of the operator with the command line, as `rates import` does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { TestParley, TestWorkspace } from './boot.ts'
import { runParley } from './command-line.ts'
import { commandEnv } from './payments.ts'

/** `rates`: lines of `market,category,validFrom,millionths`, in rupees. */
export async function importRates(
  parley: TestParley,
  shop: Pick<TestWorkspace, 'workspaceId'>,
  rates: string[],
): Promise<void> {
  const file = join(parley.config.dataDir, `${newId()}.csv`)
  await writeFile(file, ['market,category,validFrom,millionths', ...rates].join('\n'))
  const { code, stderr } = await runParley(
    ['rates', 'import', file, '--workspace', shop.workspaceId, '--currency', 'INR'],
    commandEnv(parley),
  )
  expect(code, stderr).toBe(0)
}
