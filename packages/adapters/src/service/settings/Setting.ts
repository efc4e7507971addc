import type { Form } from "./forms.ts"

/** A setting of the service: an environment variable, and an option if the library also has it. */
export interface Setting<A = unknown> {
  readonly form: Form<A>
  /** The effect of the setting, as sentences. */
  readonly description: string
  /** The default as text; null if there is none. */
  readonly default: string | null
  /** Unit of a number; null for other values. */
  readonly unit: string | null
  /** Whether the value is a secret, which is never displayed and must not be in a file that others can read. */
  readonly secret: boolean
  /** Path of the option in `Countersign.open`, with slashes; null if only a server or a command reads the setting. */
  readonly option: string | null
}

type Details = Partial<Pick<Setting, "default" | "unit" | "secret" | "option">>

/** Defines a setting. Its value is null if it is not set and has no default. */
export const setting: {
  <A>(form: Form<A>, description: string, details: Details & { readonly default: string }): Setting<A>
  <A>(form: Form<A>, description: string, details?: Details): Setting<A | null>
} = <A>(form: Form<A>, description: string, details: Details = {}): Setting<A> => ({
  form,
  description,
  default: null,
  unit: null,
  secret: false,
  option: null,
  ...details
})

/** Suffix of a setting that exists for each chain. The option's path also contains the chain id. */
export const PER_CHAIN = "<chain id>"
