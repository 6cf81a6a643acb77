/**
 * Marks that a letter has no place for stay where they are, as OpenType says (GPOS: a base may have no anchor for a class of
 * marks). The library that shapes texts fails on them instead, and with it a whole document: for names as common as ਸਿੰਘ.
 */
import { createRequire } from 'node:module'

type Positions = {
  applyLookup(type: number, table: unknown): boolean
  getAnchor(anchor: unknown): { x: number; y: number }
}
/** What is used of the library, which has no names for these parts outside itself. */
type Fontkit = {
  create(bytes: Buffer): { _layoutEngine: { engine: { GPOSProcessor: Positions } } }
}

const require = createRequire(import.meta.url)
const { create } = require('fontkit') as Fontkit

class NoAnchor extends Error {}

/** Changes how marks are placed in all fonts; `bytes` is one that has them. */
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
