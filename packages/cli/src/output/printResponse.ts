import { Effect } from "effect"
import { withServices } from "../environment/connect.ts"
import { print } from "./print.ts"

/** Requests the API response and prints it: as JSON with `--json`, otherwise formatted. */
export const printResponse = <A, E, R>(
  { json }: { readonly json: boolean },
  request: Effect.Effect<A, E, R>,
  formatText: (response: A) => string
) => withServices(Effect.flatMap(request, (response) => print(json, response, () => formatText(response))))
