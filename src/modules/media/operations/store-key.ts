/** Where the bytes of a file lie in the media store. */
export const keyOf = (workspaceId: string, mediaId: string): string => `${workspaceId}/${mediaId}`
