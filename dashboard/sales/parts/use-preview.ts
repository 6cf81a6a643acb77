/** Reads the totals of the edited document from the server, a moment after the user stops typing. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { type NewDocument, type Preview, type PreviewBody, previewQuery } from '../queries.ts'

const PAUSE_MS = 300

/** Returns the text once it has not changed for a moment. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export type PreviewState = {
  preview: Preview | undefined
  /** The server's errors, by field. */
  issues: { path: string; message: string }[]
  /** True if the totals match the current content. */
  isCurrent: boolean
}

export function usePreview(body: NewDocument, about: Pick<PreviewBody, 'kind' | 'documentId'>): PreviewState {
  const text = JSON.stringify({ ...body, ...about })
  const settled = useSettledText(text)
  const request = useMemo(() => JSON.parse(settled) as PreviewBody, [settled])
  const isWhole = request.lines.length > 0
  const { data, error, isFetching } = useQuery({ ...previewQuery(request), enabled: isWhole })
  return {
    preview: isWhole ? data : undefined,
    issues: error instanceof ApiError ? error.issues : [],
    isCurrent: text === settled && !isFetching,
  }
}
