import type { Form } from "./forms.ts"

/** A setting of the service: an environment variable, and an option if the library has it too. */
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
  /**
   * The option of `Countersign.open`, with slashes between the names; null if only a server or a command reads the
   * setting.
   */
  readonly option: string | null
}

type Details = Partial<Pick<Setting, "default" | "unit" | "secret" | "option">>

/** A setting whose value is null if it is not set and has no default. */
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

/** The suffix of a setting that each chain has. The option's name contains the chain id too. */
export const PER_CHAIN = "<chain id>"
