import { v7 } from 'uuid'
import { z } from 'zod'

/** A new id. UUIDv7: sortable by creation, so that a cursor carries its own position (spec 2.1). */
export const newId = (): string => v7()

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a UUIDv7: what a cursor must be. */
export const isUuid7 = (text: string): boolean => uuid7.test(text)

/** Whether `text` has the shape of a UUID of any version. */
export const isUuid = (text: string): boolean => anyUuid.test(text)

/** An id in a body or a query. */
export const Id = z.string().regex(anyUuid, 'must be a uuid').meta({ format: 'uuid' })
