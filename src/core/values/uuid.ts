const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
export const ANY_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a UUIDv7, as cursors must be. */
export const isUuid7 = (text: string): boolean => UUID_7.test(text)

/** Whether `text` has the shape of a UUID of any version. */
export const isUuid = (text: string): boolean => ANY_UUID.test(text)
