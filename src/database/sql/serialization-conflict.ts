/**
 * Another transaction changed the data that this one was built on. It has PostgreSQL's code for serialization failures, so that
 * the code that retries rolled-back transactions also retries this one.
 */
export class SerializationConflict extends Error {
  override name = 'SerializationConflict'
  readonly code = '40001'
}
