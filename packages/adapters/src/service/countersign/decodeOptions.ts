import { evmChainIds } from "@countersign/core/foundation/chains"
import { didYouMean, fieldProblems, type RequestProblem } from "@countersign/core/foundation/errors"
import { Address } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { optionNames, optionsSchema } from "./optionsSchema.ts"

const decode = Schema.decodeUnknownResult(optionsSchema, { errors: "all", onExcessProperty: "error" })

const explained = (problem: RequestProblem): RequestProblem => {
  if (problem.code !== "unknown_field") return problem
  if (/^chains\.[^.]*$/u.test(problem.path)) {
    return { ...problem, message: `Expected the id of a supported chain: ${evmChainIds.join(", ")}` }
  }
  const name = problem.path.slice(problem.path.lastIndexOf(".") + 1)
  const meant = didYouMean(name, optionNames)
  return {
    ...problem,
    message: meant === null ? "There is no such option." : `There is no such option. Did you mean ${meant}?`
  }
}

/** The problems that show only in several options together. */
const contradictions = ({ bundler, chains, firstUseOfGasToken, paymaster }: CountersignOptions) => {
  const problems: Array<RequestProblem> = []
  const complain = (path: string, message: string) => problems.push({ path, code: "invalid", message })
  const given = Object.entries(chains)
  if (given.length === 0) complain("chains", "Expected one chain at least, such as { 1: { rpcUrl } }")
  for (const [id, { bundlerUrl, paymasterUrl }] of given) {
    if (bundler !== undefined && bundlerUrl !== undefined)
      complain(`chains.${id}.bundlerUrl`, "Leave it out, or leave out bundler: one of them sends the operations.")
    if (paymaster !== undefined && paymasterUrl !== undefined)
      complain(`chains.${id}.paymasterUrl`, "Leave it out, or leave out paymaster: one of them pays for gas.")
  }
  if (firstUseOfGasToken === "PAID" && (bundler === undefined || paymaster === undefined))
    complain(
      "firstUseOfGasToken",
      "PAID needs the options bundler and paymaster: other bundlers and paymasters do not support it."
    )
  return problems
}

const invalid = (problems: ReadonlyArray<RequestProblem>) =>
  new CountersignError({
    id: "OPTION_INVALID",
    message: problems.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; "),
    problems
  })

/** The options, when each is well formed and known; else an error that names every one that is not. */
export const decodeOptions = (options: unknown): Result.Result<CountersignOptions, CountersignError> =>
  Result.flatMap(
    Result.mapError(decode(options), ({ issue }) => invalid(fieldProblems(issue).problems.map(explained))),
    () => {
      const known = options as CountersignOptions
      const problems = contradictions(known)
      return problems.length === 0 ? Result.succeed(known) : Result.fail(invalid(problems))
    }
  )

export const addressOption = (text: string): Address => Address.make(text.toLowerCase())
