import { Console } from "effect"
import { Flag } from "effect/cli"

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON document, for programs"),
  Flag.withDefault(false)
)

const replacer = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

export const toJson = (value: unknown): string => JSON.stringify(value, replacer, 2)

/** Prints a result: as JSON with `--json`, otherwise formatted. */
export const print = (asJson: boolean, value: unknown, formatText: () => string) =>
  Console.log(asJson ? toJson(value) : formatText())
