/**
 * Another transaction took away what this one had built on. It carries PostgreSQL's code for just that, so that
 * whatever runs rolled-back transactions again runs this one again too: it will see what happened.
 */
export class SerializationConflict extends Error {
  override name = 'SerializationConflict'
  readonly code = '40001'
}
