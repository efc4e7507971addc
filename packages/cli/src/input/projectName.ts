import { ProjectName } from "@countersign/core/tenancy/projects"
import { Argument } from "effect/cli"
import { readAs } from "./readAs.ts"

/** The name that a project is given. */
export const projectNameArgument = (name: string) =>
  Argument.String(name).pipe(
    Argument.withDescription("What people call the project; no other may have it"),
    readAs(ProjectName)
  )
