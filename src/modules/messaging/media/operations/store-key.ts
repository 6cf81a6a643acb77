/** Returns the key of a file in the media store. */
export const keyOf = (workspaceId: string, mediaId: string): string => `${workspaceId}/${mediaId}`
