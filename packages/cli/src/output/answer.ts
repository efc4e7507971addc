import { Effect } from "effect"
import { withServices } from "../environment/connect.ts"
import { print } from "./print.ts"

/** Asks on the services, and prints the answer: as it is for a program, in words for a person. */
export const printAnswer = <A, E, R>(
  { json }: { readonly json: boolean },
  question: Effect.Effect<A, E, R>,
  forPeople: (answer: A) => string
) => withServices(Effect.flatMap(question, (answer) => print(json, answer, () => forPeople(answer))))
