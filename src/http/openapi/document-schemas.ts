import type { DocumentSchemas } from './named-shapes.ts'
import type { Part } from './schemas.ts'

type Content = { content?: Record<string, { schema?: Part }> }
type Operation = {
  parameters?: { schema?: Part }[]
  requestBody?: Content
  responses: Record<string, Content>
}

const contentSchemas = ({ content = {} }: Content = {}): Part[] =>
  Object.values(content).flatMap(({ schema }) => (schema ? [schema] : []))

const operationsOf = (paths: Record<string, Part>): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path) as Operation[])

/** Returns the schemas of requests, and those of replies and events. */
export const schemasOf = (
  paths: Record<string, Part>,
  webhooks: Record<string, Part>,
): Omit<DocumentSchemas, 'components'> => ({
  requests: operationsOf(paths).flatMap(({ parameters = [], requestBody }) => [
    ...parameters.flatMap(({ schema }) => (schema ? [schema] : [])),
    ...contentSchemas(requestBody),
  ]),
  replies: [
    ...operationsOf(paths).flatMap(({ responses }) => Object.values(responses).flatMap(contentSchemas)),
    ...operationsOf(webhooks).flatMap(({ requestBody }) => contentSchemas(requestBody)),
  ],
})
