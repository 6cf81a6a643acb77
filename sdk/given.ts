/** What an endpoint takes and answers, as `api.ts` has it. */
export type Shape = { params: object; query: object; body: unknown; reply: unknown }

/** A field of what is asked: left out where there is nothing to give. */
export type Given<Name extends string, Value> = [undefined] extends [Value]
  ? { [Key in Name]?: Value }
  : Record<string, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }
