import type { Clock } from '../../core/clock.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'

/** Stores the objects of a standalone simulator in memory. */
export function memoryObjects(clock: Clock): Pick<SimulatorStore, 'keep' | 'find' | 'has' | 'list' | 'drop'> {
  const objects = new Map<string, SimulatedObject>()
  const isUnexpired = (object: SimulatedObject): boolean =>
    object.expiresAt === null || object.expiresAt > clock.now()
  const owned = (number: SimulatedNumber, kind: string, object: SimulatedObject | undefined) =>
    object?.kind === kind && object.accountId === number.accountId
  return {
    async keep(number, object) {
      objects.set(object.id, { ...object, accountId: number.accountId })
    },
    async find(id) {
      const object = objects.get(id)
      return object && isUnexpired(object) ? object : undefined
    },
    async has(number, kind, id) {
      const object = objects.get(id)
      return owned(number, kind, object) && isUnexpired(object!)
    },
    list: async (number, kind) =>
      [...objects.values()].filter((object) => owned(number, kind, object) && isUnexpired(object)),
    async drop(number, kind, id) {
      return owned(number, kind, objects.get(id)) && objects.delete(id)
    },
  }
}
