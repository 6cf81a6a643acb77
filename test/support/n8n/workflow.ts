/** The part of the package `n8n-workflow` that the nodes use, for tests without n8n. */
import type { IDataObject, INode } from 'n8n-workflow'

type Options = { message?: string; description?: string; httpCode?: string; itemIndex?: number }

export class NodeApiError extends Error {
  readonly node: INode
  readonly response: IDataObject
  readonly description: string | undefined
  readonly httpCode: string | null
  constructor(node: INode, response: IDataObject, options: Options = {}) {
    super(options.message)
    this.node = node
    this.response = response
    this.description = options.description
    this.httpCode = options.httpCode ?? null
  }
}

export class NodeOperationError extends Error {
  readonly node: INode
  readonly description: string | undefined
  constructor(node: INode, error: Error | string, options: Options = {}) {
    super(options.message ?? (typeof error === 'string' ? error : error.message))
    this.node = node
    this.description = options.description
  }
}

export const NodeConnectionTypes = { Main: 'main' } as const
