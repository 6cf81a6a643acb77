import type { Clock } from '../../core/clock.ts'
import type { SimulatedObject, SimulatorStore } from './store.ts'

/** The objects of a simulator that stands alone. */
export function memoryObjects(clock: Clock): Pick<SimulatorStore, 'keep' | 'find' | 'list' | 'drop'> {
  const objects = new Map<string, SimulatedObject>()
  const lives = (object: SimulatedObject): boolean =>
    object.expiresAt === null || object.expiresAt > clock.now()
  return {
    async keep(number, object) {
      objects.set(object.id, { ...object, accountId: number.accountId })
    },
    async find(id) {
      const object = objects.get(id)
      return object && lives(object) ? object : undefined
    },
    list: async (number, kind) =>
      [...objects.values()].filter(
        (object) => object.kind === kind && object.accountId === number.accountId && lives(object),
      ),
    async drop(number, kind, id) {
      const object = objects.get(id)
      if (object?.kind !== kind || object.accountId !== number.accountId) return false
      return objects.delete(id)
    },
  }
}
