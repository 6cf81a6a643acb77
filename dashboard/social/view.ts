/** The parts of the page. */
export const VIEWS = ['messages', 'comments', 'posts', 'insights'] as const
export type View = (typeof VIEWS)[number]
