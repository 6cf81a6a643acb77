/** The people in the models, and the spellings of their numbers by callers (spec 2.1). */
import fc from 'fast-check'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import type { TestParley, TestWorkspace } from '../support/boot.ts'

export type Person = { e164: string; spellings: string[] }

const indianPerson = (national: string): Person => ({
  e164: `+91${national}`,
  spellings: [
    `+91${national}`,
    `91${national}`,
    national,
    `0091${national}`,
    `+91 ${national.slice(0, 5)} ${national.slice(5)}`,
    `(${national.slice(0, 5)}) ${national.slice(5, 7)}-${national.slice(7)}`,
  ],
})

export const PEOPLE: Person[] = [
  indianPerson('9812300001'),
  indianPerson('9812300002'),
  indianPerson('9898100003'),
  {
    e164: '+14155550104',
    spellings: ['+14155550104', '14155550104', '0014155550104', '+1 (415) 555-0104'],
  },
]

const spellingOf = ({ e164, spellings }: Person) =>
  fc.record({ e164: fc.constant(e164), spelling: fc.constantFrom(...spellings) })

/** A person's E.164 number and one of its spellings; often the same person, so that much happens to one. */
export const somebody: fc.Arbitrary<{ e164: string; spelling: string }> = fc.oneof(
  { weight: 4, arbitrary: spellingOf(PEOPLE[0]!) },
  ...PEOPLE.slice(1).map((person) => ({ weight: 1, arbitrary: spellingOf(person) })),
)

const TEAM = [
  ['Ravi Iyer', 'ravi@example.com'],
  ['Meera Nair', 'meera@example.com'],
] as const

/** Adds Ravi and Meera to the team. */
export async function addTeam(parley: TestParley, { workspaceId }: TestWorkspace): Promise<void> {
  await parley.system(async (tx) => {
    for (const [name, email] of TEAM)
      await addMember(tx, { workspaceId, email, name, role: 'agent' }, new Date())
  })
}
