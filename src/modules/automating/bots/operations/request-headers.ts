/**
 * Values of the headers of a bot's requests: sealed in one column of its version, by node, and never in its
 * definition (DECISIONS.md "Requests").
 */
import { type Issue, invalid } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { findMissingValues, type OwnHeader, replaceHeaders } from '../../../../core/values/own-headers.ts'
import type { BotNode } from '../node-schema.ts'
import { originOf, type RequestStep } from '../script/request-call.ts'

/** Headers with their values, by node. */
export type NodeHeaders = Record<string, OwnHeader[]>

export const openNodeHeaders = (sealer: Sealer, sealed: Buffer | null): NodeHeaders =>
  sealed === null ? {} : JSON.parse(sealer.open(sealed))

export const sealNodeHeaders = (sealer: Sealer, headers: NodeHeaders): Buffer | null =>
  Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers))

type Stored = { nodes: readonly BotNode[]; headers: NodeHeaders }

/**
 * Returns the stored headers of a request, which only its own host may receive: a request that moves to
 * another host starts without values.
 */
function storedHeadersOf(node: RequestStep, before: Stored | undefined): OwnHeader[] {
  const earlier = before?.nodes.find(({ id }) => id === node.id)
  if (earlier?.type !== 'request' || originOf(earlier) !== originOf(node)) return []
  return Object.hasOwn(before!.headers, node.id) ? before!.headers[node.id]! : []
}

/** Returns the headers of a request with their values. Throws for values that are neither sent nor stored. */
export function headersOf(node: RequestStep, before: Stored | undefined, path: string): OwnHeader[] {
  const stored = storedHeadersOf(node, before)
  const issues = findMissingValues(stored, node.headers, path)
  if (issues.length > 0) throw invalid(issues)
  return replaceHeaders(stored, node.headers)
}

/** Separates the values of headers from nodes. Throws for values that are neither sent nor stored. */
export function separateHeaders(
  nodes: BotNode[],
  before: Stored | undefined,
): { nodes: BotNode[]; headers: NodeHeaders } {
  const issues: Issue[] = []
  const headers: [string, OwnHeader[]][] = []
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'request' || node.headers.length === 0) continue
    const stored = storedHeadersOf(node, before)
    const missing = findMissingValues(stored, node.headers, `nodes[${index}].headers`)
    issues.push(...missing)
    if (missing.length === 0) headers.push([node.id, replaceHeaders(stored, node.headers)])
  }
  if (issues.length > 0) throw invalid(issues)
  return {
    nodes: nodes.map((node) =>
      node.type === 'request' ? { ...node, headers: node.headers.map(({ name }) => ({ name })) } : node,
    ),
    headers: Object.fromEntries(headers),
  }
}
