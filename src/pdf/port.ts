/** PDF documents as the rest of Parley sees them: plain data goes in, bytes come out. */

/**
 * What pdfmake lays out, as plain data without functions. Texts may be in any script; a picture is a data: address. What has a
 * `headlineLevel` stands on one page with what follows it.
 */
export type PdfNode = string | PdfNode[] | { [field: string]: PdfValue }
export type PdfValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | PdfValue[]
  | { [field: string]: PdfValue }

export type PdfDocument = {
  title: string
  author: string
  /** At the foot of every page, beside its number. */
  footer: string
  content: PdfNode[]
  /** Across every page, faintly. */
  watermark?: string | undefined
}

declare module '../core/context.ts' {
  interface Outside {
    /**
     * Lays a document of a workspace out, in a thread of its own. Refuses `service_unavailable` where too many wait, where it
     * takes too long and where it becomes too large. A picture that may not be decoded is left out.
     */
    renderPdf(workspaceId: string, document: PdfDocument): Promise<Buffer>
  }
}
