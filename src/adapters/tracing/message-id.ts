/** Quotes inside the texts of customers are escaped, so only our own field matches. */
const MESSAGE_ID = /"messageId":"([0-9a-f-]{36})"/

/** Returns the value of the field `messageId` in the text of a JSON object; undefined without one. */
export const messageIdIn = (json: string): string | undefined => MESSAGE_ID.exec(json)?.[1]
