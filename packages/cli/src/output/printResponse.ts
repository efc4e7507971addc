import { Effect } from "effect"
import { withServices } from "../environment/connect.ts"
import { print } from "./print.ts"

/** Requests the API response and prints it: as JSON with `--json`, otherwise formatted. */
export const printResponse = <A, E, R>(
  { json }: { readonly json: boolean },
  question: Effect.Effect<A, E, R>,
  forPeople: (response: A) => string
) => withServices(Effect.flatMap(question, (response) => print(json, response, () => forPeople(response))))
