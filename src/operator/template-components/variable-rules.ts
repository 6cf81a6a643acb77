import type { Issue } from '../../core/errors.ts'
import { isPosition, variablesIn } from './variables.ts'

const anyPlaceholder = /\{\{(.*?)\}\}/gs
const goodName = /^\s*(?:[1-9]\d{0,2}|[a-z][a-z0-9_]{0,63})\s*$/

/**
 * Returns the faults that the operator would refuse in the placeholders of one text (docs/formats.md section
 * 6.2): bad syntax, positions mixed with names, positions that do not count up from {{1}}.
 */
export function placeholderIssues(text: string, path: string): Issue[] {
  const bad = [...text.matchAll(anyPlaceholder)].find((match) => !goodName.test(match[1] ?? ''))
  if (bad)
    return [
      {
        path,
        message: `${bad[0]} isn't a placeholder. Write {{1}}, or {{first_name}} with lowercase letters, digits, and _.`,
      },
    ]
  if (/\{\{|\}\}/.test(text.replace(anyPlaceholder, '')))
    return [{ path, message: "Has braces that aren't closed. Write a placeholder as {{1}}." }]
  const names = variablesIn(text)
  const positions = names.filter(isPosition).map(Number)
  if (positions.length === 0) return []
  if (positions.length < names.length)
    return [{ path, message: 'Must not mix numbered and named placeholders.' }]
  const missing = positions.findIndex((_, i) => !positions.includes(i + 1))
  return missing < 0
    ? []
    : [
        {
          path,
          message: `Must number its placeholders from {{1}} without gaps. {{${missing + 1}}} is missing.`,
        },
      ]
}

/** Returns further faults of a body: a placeholder first, last, or next to another. */
export function placementIssues(text: string, path: string): Issue[] {
  const trimmed = text.trim()
  const issues: Issue[] = []
  if (trimmed.startsWith('{{')) issues.push({ path, message: 'Must not start with a placeholder.' })
  if (trimmed.endsWith('}}')) issues.push({ path, message: 'Must not end with a placeholder.' })
  if (/\}\}\s*\{\{/.test(trimmed)) issues.push({ path, message: 'Must have words between two placeholders.' })
  return issues
}

/** The examples of a text: a list in the order of its placeholders, or by name. */
export type Examples = { values: unknown; named: unknown; valuesPath: string; namedPath: string }

/** Every placeholder needs an example that is not blank, and every example a placeholder. */
export function exampleIssues(text: string, { values, named, valuesPath, namedPath }: Examples): Issue[] {
  const names = variablesIn(text)
  if (names.length > 0 && !names.every(isPosition)) return namedExampleIssues(names, named, namedPath)
  const examples = Array.isArray(values) ? values : []
  if (examples.length > names.length)
    return [
      {
        path: valuesPath,
        message: `Must have ${names.length} examples, one for each placeholder. It has ${examples.length}.`,
      },
    ]
  return names.flatMap((_, i) =>
    isNonBlank(examples[i])
      ? []
      : [{ path: `${valuesPath}[${i}]`, message: `Required: an example for {{${i + 1}}}.` }],
  )
}

function namedExampleIssues(names: string[], named: unknown, path: string): Issue[] {
  const examples = new Map(
    (Array.isArray(named) ? named : []).flatMap(
      (entry: { param_name?: unknown; example?: unknown } | null) =>
        typeof entry?.param_name === 'string' ? [[entry.param_name, entry.example] as const] : [],
    ),
  )
  return [
    ...names
      .filter((name) => !isNonBlank(examples.get(name)))
      .map((name) => ({ path, message: `Required: an example for {{${name}}}.` })),
    ...[...examples.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => ({
        path,
        message: `Must not have an example for {{${name}}}, which isn't in the text.`,
      })),
  ]
}

const isNonBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
