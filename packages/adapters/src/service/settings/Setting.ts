import type { Form } from "./forms.ts"

/** A setting of the service: an environment variable, and where the library has it too, an option. */
export interface Setting<A = unknown> {
  readonly form: Form<A>
  /** Its purpose, in sentences. */
  readonly description: string
  /** The default, as text; null where there is none. */
  readonly default: string | null
  /** Unit of a number; null for everything else. */
  readonly unit: string | null
  /** A secret is shown nowhere, and belongs into no file that others read. */
  readonly secret: boolean
  /** The option of `Countersign.open`, with a slash between the names; null for what only a server or a command reads. */
  readonly option: string | null
}

type Details = Partial<Pick<Setting, "default" | "unit" | "secret" | "option">>

/** A setting whose value is null where it is not given, unless it has a default. */
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

/** At the end of a name that is there for each chain; the chain's id stands in the option's name too. */
export const PER_CHAIN = "<chain id>"
