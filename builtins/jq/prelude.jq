def map(f): [.[] | f];
def select(f): if f then . else empty end;
def recurse_down: recurse;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def map_values(f): .[] |= f;
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + {
    ($x | .key // .name // .Name // .Key): ($x | if has("value") then .value else .Value end)});
def with_entries(f): to_entries | map(f) | from_entries;
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def add(f): reduce f as $x (null; . + $x);
def any(generator; condition): first((generator | condition | select(.)) , false) | if . then true else false end;
def any(f): any(.[]; f);
def any: any(.);
def all(generator; condition): first((generator | condition | select(. | not) | false), true);
def all(f): all(.[]; f);
def all: all(.);
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else last(limit($n + 1; f)) end;
def transpose: if . == [] then [] else . as $in | (map(length) | max) as $max
    | [range(0; $max) as $j | [range(0; $in | length) as $i | $in[$i][$j]]] end;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def match(re; mode): _match(re; mode) | .[];
def match($val): ($val | type) as $vt | if $vt == "string" then match($val; null)
    elif $vt == "array" and ($val | length) > 1 then match($val[0]; $val[1])
    elif $vt == "array" and ($val | length) > 0 then match($val[0]; null)
    else error($vt + " not a string or array") end;
def test(re; mode): _match(re; mode) | length > 0;
def test($val): ($val | type) as $vt | if $vt == "string" then test($val; null)
    elif $vt == "array" and ($val | length) > 1 then test($val[0]; $val[1])
    elif $vt == "array" and ($val | length) > 0 then test($val[0]; null)
    else error($vt + " not a string or array") end;
def _capture_object: reduce (.captures | .[] | select(.name != null)) as $c ({}; . + {($c.name): $c.string});
def capture(re; mods): match(re; mods) | _capture_object;
def capture($val): match($val) | _capture_object;
def scan($re; $flags): match($re; "g" + $flags)
    | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def scan($re): scan($re; null);
def split($re; flags): _between(_match($re; flags + "g"));
def splits($re; flags): split($re; flags) | .[];
def splits($re): splits($re; null);
def sub($re; str; $flags): . as $in | _substitute(_match($re; $flags); _capture_object | str
    | if type == "string" then . else error("\($in | type) (\($in)) cannot be added to a string") end);
def sub($re; str): sub($re; str; "");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def gsub($re; str): sub($re; str; "g");
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init;
    if .e then $init end | if $i | length == 2
      then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
      else setpath(["e"]; $i[0] | length == 1) end;
    if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input
    | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def limit($n; f): if $n > 0 then _limit($n; f) elif $n == 0 then empty else f end;
def INDEX(stream; idx_expr): reduce stream as $row ({}; .[$row | idx_expr | tostring] |= $row);
def INDEX(idx_expr): INDEX(.[]; idx_expr);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def pick(pathexps): . as $top | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));
def debug(msg): (msg | debug | empty), .;
def isempty(g): first((g | false), true);
def ascii: if type == "number" and . >= 0 and . <= 127 then [.] | implode
    else error("ascii only takes integers from 0 to 127") end;
def bsearch($target): . as $in | [0, length - 1, null]
    | until(.[2] != null or .[0] > .[1]; (((.[0] + .[1]) / 2) | floor) as $middle
        | if $in[$middle] == $target then .[2] = $middle
          elif $in[$middle] < $target then .[0] = $middle + 1
          else .[1] = $middle - 1 end)
    | if .[2] != null then .[2] else -1 - .[0] end;
def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];
def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];
def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;
def halt_error: halt_error(5);
def have_literal_numbers: true;
def have_decnum: true;
def get_search_list: [];
def flatten($x): if $x < 0 then error("flatten depth must not be negative") else _flatten($x) end;
def flatten: _flatten(1e9);
def range($n): range(0; $n);
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def error(msg): msg | error;
