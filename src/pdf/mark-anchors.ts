/**
 * Leaves marks in place if a letter has no anchor for them, as OpenType allows (GPOS). The shaping library
 * throws instead and loses the whole document, for names as common as ਸਿੰਘ.
 */
import { createRequire } from 'node:module'

type Positions = {
  applyLookup(type: number, table: unknown): boolean
  getAnchor(anchor: unknown): { x: number; y: number }
}
/** The parts of the library that we use; it does not export types for them. */
type Fontkit = {
  create(bytes: Buffer): { _layoutEngine: { engine: { GPOSProcessor: Positions } } }
}

const require = createRequire(import.meta.url)
const { create } = require('fontkit') as Fontkit

class NoAnchor extends Error {}

/** Changes the placement of marks for all fonts; `bytes` is a font with marks. */
export function allowMissingAnchors(bytes: Buffer): void {
  const shared = Object.getPrototypeOf(create(bytes)._layoutEngine.engine.GPOSProcessor) as Positions
  const { applyLookup, getAnchor } = shared
  shared.getAnchor = function (anchor) {
    if (!anchor) throw new NoAnchor()
    return getAnchor.call(this, anchor)
  }
  shared.applyLookup = function (type, table) {
    try {
      return applyLookup.call(this, type, table)
    } catch (error) {
      if (error instanceof NoAnchor) return false
      throw error
    }
  }
}
