/** The input and the reply of an endpoint, as in `api.ts`. */
export type Shape = { params: object; query: object; body: unknown; reply: unknown }

/** A field of the input, which is optional if it can be undefined. */
export type InputField<Name extends string, Value> = [undefined] extends [Value]
  ? { [Key in Name]?: Value }
  : Record<string, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }
