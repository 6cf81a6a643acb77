import type { Transport } from './transport.ts'

/** A group of methods of the client. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}
