/** Reads the numbers of workspaces for frequent requests. */
import type { Unit } from '../../../../core/context.ts'
import { listNumbers } from './phone-numbers.ts'
import { type Loaded, rememberedByVersion } from './remembered-by-version.ts'

export type ReadNumber = Awaited<ReturnType<typeof listNumbers>>[number]

/** More numbers than this are not cached. */
const MAX_NUMBERS = 100
const numbersOf = rememberedByVersion<ReadNumber[]>()

async function loadNumbers(unit: Unit, workspaceIds: string[]): Promise<Map<string, Loaded<ReadNumber[]>>> {
  const numbers = Map.groupBy(await listNumbers(unit, workspaceIds), (number) => number.workspaceId)
  return new Map([...numbers].map(([id, value]) => [id, { value, mayKeep: value.length <= MAX_NUMBERS }]))
}

/**
 * Returns all numbers of the given workspaces, by workspace id and oldest first; a workspace without numbers
 * may be missing.
 */
export const readNumbers = (unit: Unit, workspaceIds: string[]): Promise<Map<string, ReadNumber[]>> =>
  numbersOf.read(unit, workspaceIds, (ids) => loadNumbers(unit, ids))

/** Returns the cached numbers, if all are cached: the transaction fails if one has changed. */
export const assumeNumbers = (unit: Unit, workspaceIds: string[]): Promise<Map<string, ReadNumber[]>> =>
  numbersOf.assume(unit, workspaceIds, (ids) => loadNumbers(unit, ids))
