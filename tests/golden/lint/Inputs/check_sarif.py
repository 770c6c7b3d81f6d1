"""check_sarif.py SCHEMA REPORT [RULE...]: REPORT is valid SARIF 2.1.0, and its results are of these
rules, in this order; every place lies inside its file."""

import json
import os
import sys
import urllib.parse

import jsonschema

with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
with open(sys.argv[2], encoding="utf-8") as f:
    report = json.load(f)
jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(report)

(run,) = report["runs"]
rules = run["tool"]["driver"]["rules"]
results = run["results"]
assert [r["ruleId"] for r in results] == sys.argv[3:], [r["ruleId"] for r in results]
fingerprints = set()
for result in results:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
    fingerprints.add(result["partialFingerprints"]["unphi/v1"])
    places = result["locations"] + result["relatedLocations"]
    for place in places:
        physical = place["physicalLocation"]
        artifact = physical["artifactLocation"]
        assert artifact["uriBaseId"] == "%SRCROOT%" and not os.path.isabs(artifact["uri"]), artifact
        with open(urllib.parse.unquote(artifact["uri"]), encoding="utf-8") as f:
            lines = f.read().split("\n")
        region = physical["region"]
        line = lines[region["startLine"] - 1]
        if "startColumn" not in region:  # of a kernel that was measured
            continue
        assert 1 <= region["startColumn"] <= region["endColumn"], region
        assert region["endColumn"] <= len(line) + 1 or region["endLine"] > region["startLine"], region
    first = results[0]["locations"][0]["physicalLocation"]["region"]
assert len(fingerprints) == len(results), "two results with one fingerprint"
if "unphi-phi-explosion" in sys.argv[3:]:
    region = results[0]["locations"][0]["physicalLocation"]["region"]
    assert region["endColumn"] - region["startColumn"] == 2, region  # "if"
    ids = [place["id"] for place in results[0]["relatedLocations"]]
    assert ids == list(range(1, len(ids) + 1)) and len(ids) >= 3, ids
    assert results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], results[0]
    assert "sequentialize applies" in results[0]["message"]["text"], results[0]
