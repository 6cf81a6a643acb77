/** The views of the page. */
export const VIEWS = ['messages', 'comments', 'posts', 'calendar', 'insights'] as const
export type View = (typeof VIEWS)[number]
