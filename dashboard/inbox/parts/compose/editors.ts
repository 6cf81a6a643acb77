/** Holds which editor of the composer is open. */
import { useState } from 'react'
import type { PartKind } from './part-shape.ts'

export type Editor = PartKind | 'form' | 'payment' | 'invoices' | 'quotations' | 'bookings'
export type Opened = { editor: Editor | undefined; count: number }

/** Returns the open editor, and a function that opens or closes one. */
export function useEditors(): [Opened, (editor: Editor | undefined) => void] {
  const [opened, setOpened] = useState<Opened>({ editor: undefined, count: 0 })
  return [opened, (editor) => setOpened(({ count }) => ({ editor, count: editor ? count + 1 : count }))]
}
