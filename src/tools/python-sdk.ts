/** Generates the modules of `parley-sdk` in sdk-python/ that follow the catalog: types, events, and resources. */
import type { Endpoint } from '../core/endpoint.ts'
import type { EventKind } from '../core/event.ts'
import { createSchemas, type Part } from '../http/openapi/schemas.ts'
import { methodSchemas, pythonMethods } from './python-methods.ts'
import { pascalCase } from './python-names.ts'
import { pythonResources } from './python-resources.ts'
import {
  codeOf,
  docstring,
  importText,
  literalAlias,
  PYTHON_NOTE,
  sortNames,
  textLiteral,
  unionAlias,
  wrap,
} from './python-text.ts'
import { createPythonTypes, type PythonTypes } from './python-types.ts'
import { sdkMethods } from './sdk-names.ts'

const MAX_LINE = 110
const EVENT =
  'An event as delivered: its `event` tells the type of its `data`. New events may be added, so ignore names that you do not know.'

/** Returns the generated modules of the Python SDK, by name. */
export function pythonSdk(endpoints: Endpoint[], events: EventKind[]): Record<string, string> {
  const schemas = createSchemas()
  const own = sdkMethods(endpoints).map((method) => methodSchemas(method, schemas))
  const data = events.map((kind) => [kind, schemas.ofReply(kind.data)] as const)
  const components = schemas.components()
  const types = createPythonTypes(components)
  const methods = own.flatMap((method) => pythonMethods(method, components, types))
  const eventsText = eventsModule(data, createPythonTypes(components, types), Object.keys(components))
  const declarations = types.declarations()
  const names = Object.keys(declarations)
  const files = {
    'types.py': moduleOf('The types of requests and replies.', declarations, ''),
    'events.py': eventsText,
    '_resources.py': pythonResources(methods, names, 'sync'),
    '_async_resources.py': pythonResources(methods, names, 'async'),
  }
  for (const [name, text] of Object.entries(files)) refuseLongLines(name, text)
  return files
}

/** The formatter would break a longer line. */
function refuseLongLines(name: string, text: string): void {
  const long = codeOf(text)
    .split('\n')
    .find((line) => line.length > MAX_LINE && !/^\s*#/.test(line))
  if (long !== undefined) throw new Error(`${name} has a line that is too long: ${long}`)
}

function moduleOf(summary: string, declarations: Record<string, string>, imports: string): string {
  const text = Object.values(declarations).join('\n\n')
  const words = new Set(codeOf(text).match(/\w+/g))
  const typing = ['Any', 'Dict', 'List', 'Literal', 'Union'].filter((name) => words.has(name))
  const own = ['NotRequired', 'TypedDict'].filter((name) => words.has(name))
  return [
    `"""\n${summary}\n\n${PYTHON_NOTE}\n"""\n`,
    'from __future__ import annotations\n',
    `from typing import ${typing.join(', ')}\n`,
    `from ._typing import ${own.join(', ')}\n${imports}${text.startsWith('class') ? '\n' : ''}`,
    text,
  ].join('\n')
}

function eventText(name: string, kind: EventKind, data: string): string {
  const doc = docstring([wrap(kind.when, '    ')], '    ')
  return `class ${name}(TypedDict):\n${doc}\n    id: str\n    """Id of the event: the same in every delivery of it."""\n    event: Literal[${textLiteral(kind.name)}]\n    createdAt: str\n    data: ${data}\n`
}

function eventsModule(data: (readonly [EventKind, Part])[], types: PythonTypes, shared: string[]): string {
  const events = data.map(([kind, part]) => {
    const name = pascalCase(kind.name)
    return [`${name}Event`, eventText(`${name}Event`, kind, types.typeOf(part, `${name}Data`))] as const
  })
  const union = unionAlias(
    'WebhookEvent',
    events.map(([name]) => name),
  )
  const declarations = {
    ...types.declarations(),
    ...Object.fromEntries(events),
    EventName: `${literalAlias(
      'EventName',
      data.map(([kind]) => textLiteral(kind.name)),
    )}"""The name of an event."""\n`,
    WebhookEvent: `${union}${docstring([wrap(EVENT, '')], '')}`,
  }
  const words = new Set(codeOf(Object.values(declarations).join('')).match(/\w+/g))
  const used = shared.filter((name) => words.has(name) && !(name in declarations))
  return moduleOf(
    'The types of events, which webhooks deliver.',
    declarations,
    importText('.types', sortNames(used)),
  )
}
